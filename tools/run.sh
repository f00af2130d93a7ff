#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh HAZARD (from the root of the project)
# Shows the main job: the best turns of a few rolls from real positions, with the odds before and
# after; then in short what else there is: a match, chess, the league. Every command is printed
# first, so that it can be repeated with another roll.
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
    show best --bot "$3" --seed 1 --roll "$2" "$1"
}

# show ARGUMENT...: any command, printed and run.
show() {
    printf '\n  $ %s' "$hazard"
    for word; do
        case $word in
        *' '*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n\n'
    "$hazard" "$@"
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
show odds "$position_2"

title "5. Which one is better?" \
    "A match in pairs: the same dice for both, colours swapped. A score has its interval."
show arena --a aggressive --b greedy --pairs 100 --threads 2

title "6. Chess, too" \
    "The pawn on e5 is pinned to its king: taking en passant would open the e-file. Legal moves as \
chess players write them."
show position --chess '4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1'

title "7. The smallest evaluator" \
    "In the league a network judges chess positions against four baselines; fewest parameters win. \
This one counts pieces with five numbers, and level 1 is too strong for it."
show league run models/league/material.onnx --level 1 --threads 2

title "How to go on" ""
cat <<EOF
  $hazard play          a game against a bot, here in the terminal
  $hazard uci           an engine for your chess program
  $hazard best --help   every command explains itself
  $hazard help          all commands
  make check                 run every test
  README.md                  what else there is
EOF
