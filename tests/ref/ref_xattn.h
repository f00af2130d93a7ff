/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_xattn.h - the architecture "xattn8-4-v1" word by word: every one of the 65 tokens asks its
 * own question in each block, and all of them are worked on to the end. In double precision.
 */
#ifndef HAZARD_REF_XATTN_H
#define HAZARD_REF_XATTN_H

enum { REF_XATTN_NUMBERS = 3969 };

/* The logit of a position: board[7 * 64] channel by channel in FEN order, meta[13]. */
double ref_xattn(const float *weights, const float *board, const float *meta);

#endif
