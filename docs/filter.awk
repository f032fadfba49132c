# INPUT_FILTER of Doxygen 1.9.4: makes of our comments and pages what it understands.
#   *.hpp  it takes all of a line after @par for the title: the line ends after the title,
#          where two blanks follow it; what is private is left out, because links lead there
#   *.md   a heading gets the anchor that links of the repository's host use, made unique by
#          the path of its page; links lead to that anchor, to the source of a header, or to
#          the copy of another file; marks of code go where they would be shown
FILENAME ~ /\.hpp$/ {
    if (/^private:/)
        is_private = 1
    else if (/^(public|protected):|^};/)
        is_private = 0
    if (is_private)
        print ""
    else if (match($0, /^ *\* @par [A-Z][a-z]+( [a-z]+)?  +/)) {
        title = substr($0, 1, RLENGTH)
        rest = substr($0, RLENGTH + 1)
        sub(/ +$/, "", title)
        match($0, /^ *\* /)
        print title
        print substr($0, 1, RLENGTH) rest
    } else {
        print
    }
    next
}

FNR == 1 {
    page = relative(FILENAME)
    folder = page
    if (!sub(/\/[^\/]*$/, "", folder))
        folder = ""
    is_code = 0
}

/^ *(```|~~~)/ { is_code = !is_code }
is_code || /^ *(```|~~~)/ { print; next }

/^#+ / {
    name = slug($0)
    gsub(/`/, "")
    print $0 (/^##/ ? " {#" anchor(page, name) "}" : "")
    next
}

{ print links(code($0)) }

# A line in which code with a quotation mark is between two backquotes on either side; one
# would end at that mark.
function code(line,    done)
{
    done = ""
    while (match(line, /`[^`]+`/)) {
        done = done substr(line, 1, RSTART - 1)
        if (index(substr(line, RSTART, RLENGTH), "'"))
            done = done "`" substr(line, RSTART, RLENGTH) "`"
        else
            done = done substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
    return done line
}

# The path below the root of the repository; Doxygen passes an absolute one.
function relative(path,    root)
{
    root = ENVIRON["SLUICE_ROOT"] "/"
    return index(path, root) == 1 ? substr(path, length(root) + 1) : path
}

function slug(heading)
{
    sub(/^#+ */, "", heading)
    gsub(/\]\([^)]*\)/, "", heading)
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

function anchor(path, name)
{
    path = path "_" name
    gsub(/[^A-Za-z0-9_-]/, "_", path)
    return path
}

# `a/../b` and `../b` as paths below the root.
function resolved(target,    parts, count, i, path, depth, stack)
{
    count = split((folder == "" ? "" : folder "/") target, parts, "/")
    depth = 0
    for (i = 1; i <= count; ++i) {
        if (parts[i] == "..")
            --depth
        else if (parts[i] != "." && parts[i] != "")
            stack[++depth] = parts[i]
    }
    path = stack[1]
    for (i = 2; i <= depth; ++i)
        path = path "/" stack[i]
    return path
}

# What is there of a file that is no page: of a header its source, of another one a copy.
function file(path)
{
    if (path !~ /^include\/.*\.hpp$/)
        return path
    sub(/.*\//, "", path)
    gsub(/_/, "__", path)
    sub(/\./, "_8", path)
    return path "_source.html"
}

# A line with the targets of its links replaced, and without marks of code in their texts.
function links(line,    done, begin, text, target, hash)
{
    done = ""
    while (match(line, /\]\([^) ]+\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        begin = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (match(begin, /\[[^[]*$/)) {
            text = substr(begin, RSTART)
            gsub(/`/, "", text)
            begin = substr(begin, 1, RSTART - 1) text
        }
        done = done begin "]("
        hash = index(target, "#")
        if (target !~ /^[a-z]+:/) {
            if (hash == 1)
                target = "#" anchor(page, substr(target, 2))
            else if (hash)
                target = "#" anchor(resolved(substr(target, 1, hash - 1)), substr(target, hash + 1))
            else if (target !~ /\.md$/)
                target = file(resolved(target))
        }
        done = done target ")"
    }
    return done line
}
