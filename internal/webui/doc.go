// Package webui serves the pages: start page, leaderboard, control room, team
// desk and benchmarks. They are HTML from the server, complete without a
// script; small modules keep them up to date.
//
// What everybody may see is made from the public table, what the organiser sees
// from the jury's. Nothing here judges or ranks: pages show what the contest
// says, and forms send its commands.
package webui
