#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh HAZARD
# Shows the main job: the best turns of a few rolls from real positions, with the odds before and
# after. Every command is printed first, so that it can be repeated with another roll.
set -eu
hazard=${1:-build/hazard}

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

position_2='r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4'

# title HEADING TEXT
title() {
    printf '\n\n%s%s%s\n' "$bold" "$1" "$plain"
    printf '%s\n' "$2" | fold -s -w 78 | sed "s/ *$//"
}

# best DFEN ROLL BOT
best() {
    printf "\n  \$ %s best --bot %s --seed 1 --roll %s '%s'\n\n" "$hazard" "$3" "$2" "$1"
    "$hazard" best --bot "$3" --seed 1 --roll "$2" "$1"
}

title "1. The first turn of a game" \
    "Three dice name the pieces that may move. White has rolled a pawn, a knight and a bishop: \
three micro-moves make one turn."
best 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' PNB aggressive

title "2. A knight on g5" \
    "The Two Knights Defence, known from chess. Dice Chess has no check and no mate: the king is \
taken, and with how many of the 216 rolls stands below the boards."
best "$position_2" PNQ aggressive

title "3. The king is taken" \
    "A middle game. One queen's die opens the way to the king, the other one takes it."
best 'r4rk1/1pp2ppp/p1np4/4p2q/2B1P3/2NP1Q2/PPP2PPP/R4RK1 w - - 2 13' PQQ greedy

title "4. Where it is dangerous" \
    "The second position again, before its roll: beside every piece, the rolls that take it."
printf "\n  \$ %s odds '%s'\n\n" "$hazard" "$position_2"
"$hazard" odds "$position_2"

title "How to go on" ""
cat <<EOF
  $hazard play          a game against a bot, here in the terminal
  $hazard best --help   every command explains itself
  $hazard help          all commands
  make check                 run every test
  README.md                  what else there is
EOF
