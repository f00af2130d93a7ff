/* SPDX-License-Identifier: MIT */
/* Arena: http_player. */
#include <hazard/arena.h>

hz_status hz_match_player_http(const char *url, hz_match_player *player, hz_error *err) {
    (void)url, (void)player;
    return hz_fail(err, HZ_UNSUPPORTED, HZ_NO_OFFSET, "HTTP bots are not there yet");
}
