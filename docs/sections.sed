# INPUT_FILTER of Doxygen, which takes all of a line after @par for the title: ends the line
# after the title, where two blanks follow it.
s/^( *\*) @par ([A-Z][a-z]+( [a-z]+)?)  +/\1 @par \2\n\1 /
# Doxygen knows no links to a section of the same page.
s/\[([^]]*)\]\(#[a-z0-9-]+\)/\1/g
