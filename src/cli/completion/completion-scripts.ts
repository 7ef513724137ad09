/** The shells with completion scripts. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Returns a script for `shell` that asks `program`, an executable and its first arguments, for completions. */
export function completionScript(shell: (typeof SHELLS)[number], program: readonly string[]): string {
  const quote = shell === "fish" ? quoteForFish : quoteForPosix;
  // The line goes through standard input, so that a link that is being typed is in no process list, and nothing is
  // evaluated.
  return SCRIPTS[shell].replaceAll("PROGRAM", () => `${program.map(quote).join(" ")} complete`);
}

function quoteForPosix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}

// Bash has also cut the line at '=', '@' and ':'. The script joins the words again, and uses only the part of an answer
// after the last cut. Readline completes files itself, since it knows quotes and '~', but it takes an '@' for a part of
// the name.
const BASH = String.raw`# bash completion for handoff
_handoff() {
    local line=$COMP_LINE word cut='=:@' index value description answer
    local -a words=()
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=\${COMP_WORDS[index]}
        if [[ $index != 0 && -n $word && $line == "$word"* ]]; then
            words[\${#words[@]}-1]+=$word
        else
            line=\${line#"\${line%%[![:space:]]*}"}
            words+=("$word")
        fi
        line=\${line#"$word"}
    done
    local current=\${words[\${#words[@]}-1]} fragment=\${COMP_WORDS[COMP_CWORD]}
    [[ -z \${fragment//["$cut"]/} ]] && fragment=
    local head=\${current%"$fragment"}
    answer=$(printf '%s\n' "\${words[@]:1}" | PROGRAM 2>/dev/null)
    COMPREPLY=()
    if [[ \${answer##*$'\n'} != :files* ]]; then
        compopt +o default 2>/dev/null
    elif [[ $head == *@ ]]; then
        while IFS= read -r value; do
            [[ -d $value ]] && value+=/ && compopt -o nospace 2>/dev/null
            COMPREPLY+=("@$(printf %q "$value")")
        done < <(compgen -f -- "$fragment")
        return
    fi
    while IFS=$'\t' read -r value description; do
        [[ -z $value || $value == :* ]] || COMPREPLY+=("\${value#"$head"}")
    done <<<"$answer"
}
complete -o default -F _handoff handoff
`.replaceAll("\\$", "$");

const ZSH = String.raw`#compdef handoff
_handoff() {
    local answer value offset
    local -a lines values
    answer=$(printf '%s\n' "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" | PROGRAM 2>/dev/null)
    lines=("\${(@f)answer}")
    if [[ \${lines[-1]} == :files* ]]; then
        offset=\${lines[-1]#:files }
        IPREFIX+=\${PREFIX[1,offset]}
        PREFIX=\${PREFIX[offset+1,-1]}
        _files
        return
    fi
    for value in "\${lines[@]}"; do
        [[ -z $value || $value == :* ]] || values+=("\${\${value//:/\\:}/$'\t'/:}")
    done
    _describe handoff values
}
if [[ \${funcstack[1]} == _handoff ]]; then
    _handoff "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _handoff handoff
fi
`.replaceAll("\\$", "$");

// Fish completes files itself, with their quotes, but not those after 'NAME=@'.
const FISH = String.raw`# fish completion for handoff
function __handoff_ask
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    printf '%s\n' $words[2..-1] "$token" | PROGRAM 2>/dev/null
end
function __handoff_means_file
    set -l answer (__handoff_ask)
    test "$answer[-1]" = ':files 0'
end
function __handoff_words
    set -l token (commandline -ct)
    set -l answer (__handoff_ask)
    set -l offset (string replace -rf '^:files ' '' -- $answer[-1])
    if test -n "$offset"
        set -l head (string sub -l $offset -- "$token")
        for path in (__fish_complete_path (string sub -s (math $offset + 1) -- "$token"))
            echo -- "$head$path"
        end
        return
    end
    string match -v -r '^:' -- $answer
end
complete -c handoff -e
complete -c handoff -n __handoff_means_file -F
complete -c handoff -n 'not __handoff_means_file' -f -a '(__handoff_words)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
