# Completion of gray1 for bash. Bash splits words at `:` and `=`, replaces only the part after them,
# and does not quote candidates.
_gray1() {
    local IFS=$' \t\n' rest=$COMP_LINE words=() index=0 cur= kept= piece i candidate
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if [[ $i == 0 || $rest == [[:blank:]]* ]]; then
            rest=${rest#"${rest%%[![:blank:]]*}"}
            words+=("$cur")
            cur=
        fi
        rest=${rest#"$piece"}
        kept=$cur
        cur+=${piece//\\/}
    done
    # The first one was nothing; the last one ends at the cursor.
    words=("${words[@]:1}")
    index=${#words[@]}
    if [[ $piece == *[!:=]* || -z $piece ]]; then
        cur=$kept${2//\\/}
    else
        kept=$cur
    fi
    words+=("$cur")
    COMPREPLY=()
    while IFS= read -r -d $'\v' candidate; do
        candidate=${candidate#"$kept"}
        [[ $candidate ]] || continue
        # Between quotes, no other character needs quoting.
        [[ $piece == [\"\']* ]] || printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done < <(_CLAP_IFS=$'\v' _CLAP_COMPLETE_INDEX=$index _CLAP_COMPLETE_COMP_TYPE=$COMP_TYPE \
        _CLAP_COMPLETE_SPACE=false GRAY1_COMPLETE=bash gray1 -- "${words[@]}" && printf '\v')
    # Bash 3 cannot leave out the space after single candidates.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} != *[=/:] ]]; then
        compopt +o nospace 2>/dev/null || COMPREPLY[0]+=' '
    fi
}
complete -o nospace -o bashdefault -o nosort -F _gray1 gray1 2>/dev/null ||
    complete -o nospace -o bashdefault -F _gray1 gray1
