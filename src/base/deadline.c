/* SPDX-License-Identifier: MIT */
/* Monotonic time, deadlines, cancel flags. */
#include <hazard/base.h>

#include <time.h>

uint64_t hz_clock_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The flag is a plain int in the public structure, so that the header stays usable from C++; the
 * compiler's atomic builtins give the accesses their meaning. */
void hz_cancel_request(hz_cancel *cancel) {
    __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELEASE);
}

void hz_cancel_clear(hz_cancel *cancel) {
    __atomic_store_n(&cancel->requested, 0, __ATOMIC_RELEASE);
}

bool hz_cancel_requested(const hz_cancel *cancel) {
    return cancel && __atomic_load_n(&cancel->requested, __ATOMIC_ACQUIRE) != 0;
}

hz_deadline hz_deadline_none(void) {
    return (hz_deadline){.at_ns = HZ_NO_DEADLINE};
}

hz_deadline hz_deadline_in_ms(uint64_t budget_ms) {
    uint64_t now = hz_clock_now_ns();
    uint64_t most = (HZ_NO_DEADLINE - 1 - now) / 1000000u;
    uint64_t budget = budget_ms < most ? budget_ms : most;
    return (hz_deadline){.at_ns = now + budget * 1000000u};
}

bool hz_deadline_is_timed(const hz_deadline *deadline) {
    return deadline && deadline->at_ns != HZ_NO_DEADLINE;
}

uint64_t hz_deadline_now_ns(const hz_deadline *deadline) {
    return deadline && deadline->now ? deadline->now(deadline->now_state) : hz_clock_now_ns();
}

bool hz_deadline_expired(const hz_deadline *deadline) {
    if (!deadline) {
        return false;
    }
    if (hz_cancel_requested(deadline->cancel)) {
        return true;
    }
    return deadline->at_ns != HZ_NO_DEADLINE && hz_deadline_now_ns(deadline) >= deadline->at_ns;
}
