/* SPDX-License-Identifier: MIT */
/* Asks the processor once, before main, which kernels may be used; packs weights for both. */
#include "model/kernels.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && !defined(HAZARD_PORTABLE_ONLY)
#include <cpuid.h>

/* The operating system saves these registers: bits of XCR0. */
static bool saves(unsigned registers) {
    unsigned eax, ebx, ecx, edx, low, high;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE)) {
        return false;
    }
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & registers) == registers;
}

static bool has_avx2(void) {
    unsigned eax, ebx, ecx, edx;
    if (!saves(6) || !__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_FMA)) {
        return false;
    }
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & bit_AVX2);
}

/* The first processors with AVX-512 slow down when they use it; later ones have VBMI, too. */
static bool has_avx512(void) {
    unsigned eax, ebx, ecx, edx;
    return has_avx2() && saves(0xE6) && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
           (ebx & bit_AVX512F) && (ecx & bit_AVX512VBMI);
}
#else
static bool has_avx2(void) {
    return false;
}

static bool has_avx512(void) {
    return false;
}
#endif

const hzi_kernels *hzi_kernels_at(size_t index) {
    const hzi_kernels *found[3] = {&hzi_kernels_portable};
    size_t count = 1;
    if (hzi_kernels_avx2 && has_avx2()) {
        found[count++] = hzi_kernels_avx2;
    }
    if (hzi_kernels_avx512 && has_avx512()) {
        found[count++] = hzi_kernels_avx512;
    }
    return index < count ? found[index] : NULL;
}

const hzi_kernels *hzi_kernels_in_use = &hzi_kernels_portable;

void hzi_kernels_use_fast(bool on) {
    hzi_kernels_in_use = &hzi_kernels_portable;
    for (size_t i = 0; on && hzi_kernels_at(i); i++) {
        hzi_kernels_in_use = hzi_kernels_at(i);
    }
}

__attribute__((constructor)) static void choose_once(void) {
    hzi_kernels_use_fast(true);
}

size_t hzi_dense_padded(size_t outputs) {
    return (outputs + HZI_PANEL - 1) / HZI_PANEL * HZI_PANEL;
}

size_t hzi_dense_weights(size_t inputs, size_t outputs) {
    return inputs * hzi_dense_padded(outputs);
}

bool hzi_dense_pack(const float *from, size_t inputs, size_t outputs, size_t input_step,
                    size_t output_step, float *packed) {
    bool finite = true;
    for (size_t first = 0; first < outputs; first += HZI_PANEL) {
        size_t width = outputs - first < HZI_PANEL ? outputs - first : HZI_PANEL;
        for (size_t k = 0; k < inputs; k++, packed += HZI_PANEL) {
            const float *row = from + k * input_step + first * output_step;
            for (size_t j = 0; j < width; j++) {
                packed[j] = row[j * output_step];
                finite = finite && isfinite(packed[j]);
            }
            memset(packed + width, 0, (HZI_PANEL - width) * sizeof *packed);
        }
    }
    return finite;
}
