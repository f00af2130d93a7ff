/* SPDX-License-Identifier: MIT */
/* x */
int main(void) { return 0; }
