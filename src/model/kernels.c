/* SPDX-License-Identifier: MIT */
/* Asks the processor once, before main, which kernels may be used; packs weights for both. */
#include "model/kernels.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && !defined(HAZARD_PORTABLE_ONLY)
#include <cpuid.h>

/* The operating system saves the wide registers: XCR0 has the bits of SSE and AVX. */
static bool saves_wide_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

bool hzi_kernels_fast_available(void) {
    unsigned eax, ebx, ecx, edx;
    if (!hzi_kernels_avx2 || !__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_FMA) ||
        !(ecx & bit_OSXSAVE) || !saves_wide_registers()) {
        return false;
    }
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & bit_AVX2);
}
#else
bool hzi_kernels_fast_available(void) {
    return false;
}
#endif

const hzi_kernels *hzi_kernels_in_use = &hzi_kernels_portable;

void hzi_kernels_use_fast(bool on) {
    hzi_kernels_in_use =
        on && hzi_kernels_fast_available() ? hzi_kernels_avx2 : &hzi_kernels_portable;
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
