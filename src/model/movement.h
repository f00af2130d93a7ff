/* SPDX-License-Identifier: MIT */
/* The members of the family "movement" that have files of their own. */
#ifndef HAZARD_MODEL_MOVEMENT_H
#define HAZARD_MODEL_MOVEMENT_H

#include "model/operator.h"

/* slice.c */
hz_status hzi_prepare_slice(hzi_step *step);
/* pad.c */
hz_status hzi_prepare_pad(hzi_step *step);
/* gather.c */
hz_status hzi_prepare_gather(hzi_step *step);
hz_status hzi_prepare_gather_elements(hzi_step *step);

#endif
