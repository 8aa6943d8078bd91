# Lessons, ${name}

Notes of people. npuflow made this file once and does not touch it again.

## Surprises

## To do again

## To avoid
