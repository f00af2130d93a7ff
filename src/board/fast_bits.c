/* SPDX-License-Identifier: MIT */
/* Asks the processor once, before main, whether the fast bit instructions may be used. */
#include "board/bits.h"

#if HZI_HAS_FAST_BITS
#include <cpuid.h>

/* AMD families 15h to 17h have pext and pdep in microcode, slower than the portable way. */
static bool has_slow_pext(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || ebx != signature_AMD_ebx) {
        return false;
    }
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        return false;
    }
    unsigned family = ((eax >> 8) & 15) + ((eax >> 20) & 255);
    return family < 0x19;
}

bool hzi_fast_bits_available(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_POPCNT)) {
        return false;
    }
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ebx & bit_BMI2)) {
        return false;
    }
    return !has_slow_pext();
}
#else
bool hzi_fast_bits_available(void) {
    return false;
}
#endif

bool hzi_fast_bits = false;

void hzi_fast_bits_use(bool on) {
    hzi_fast_bits = on && hzi_fast_bits_available();
}

__attribute__((constructor)) static void choose_once(void) {
    hzi_fast_bits_use(true);
}
