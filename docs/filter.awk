# INPUT_FILTER of Doxygen 1.9.4: makes of our comments and pages what it understands.
#   *.hpp  it takes all of a line after @par for the title: the line ends after the title,
#          where two blanks follow it; what is private is left out, because links lead there
#   *.md   a heading gets the anchor that links of the repository's host use, made unique by
#          the path of its page; links lead to that anchor, to the source of a header, or to
#          the copy of another file
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

/^##+ / {
    print $0 " {#" anchor(page, slug($0)) "}"
    next
}

{ print links($0) }

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

# A line with the targets of its links replaced; images stay as they are.
function links(line,    done, target, is_image, hash)
{
    done = ""
    while (match(line, /\]\([^) ]+\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        is_image = substr(line, 1, RSTART) ~ /!\[[^]]*$/
        done = done substr(line, 1, RSTART + 1)
        line = substr(line, RSTART + RLENGTH)
        hash = index(target, "#")
        if (target !~ /^[a-z]+:/ && !is_image) {
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
