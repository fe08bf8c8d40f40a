export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/**
 * The script that teaches a shell to complete `scaffold` and `kubewright`. It asks the CLI itself, the one of the project
 * where there is one, so that it never knows less than the CLI does.
 */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

/** For bash and zsh: the nearest project's own CLI, where there is one. Sets `cli`, walks `directory` upwards. */
const projectCli = `  while [[ -n "$directory" ]]; do
    if [[ -x "$directory/node_modules/.bin/scaffold" ]]; then
      cli="$directory/node_modules/.bin/scaffold"
      break
    fi
    directory="\${directory%/*}"
  done
`;

const bash = `# Completion of scaffold for bash. Load it with: source <(scaffold completion bash)
_scaffold() {
  local cli line directory="$PWD"
  COMPREPLY=()
  cli="$(type -P -- "\${COMP_WORDS[0]}")"
${projectCli}  [[ -n "$cli" ]] || return 0
  # bash takes --kind=Ga for three words, and replaces only the last of them.
  local word typed="" glue="" index
  local -a words=()
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ -n "$typed" && ( -n "$glue" || "$word" == [=:]* ) ]]; then
      typed="$typed$word"
      words[\${#words[@]}-1]="$typed"
    else
      typed="$word"
      words+=("$typed")
    fi
    glue=""
    [[ "$word" == *[=:] ]] && glue=1
  done
  local front="\${typed%"\${typed##*[=:]}"}"
  compopt +o default 2>/dev/null
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default 2>/dev/null ;;
      ?*)
        line="\${line%%$'\\t'*}"
        COMPREPLY+=("\${line#"$front"}")
        [[ "$line" == *[=:] ]] && compopt -o nospace 2>/dev/null
        ;;
    esac
  done < <("$cli" __complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _scaffold scaffold kubewright
`;

const zsh = `#compdef scaffold kubewright
# Completion of scaffold for zsh. Load it with: source <(scaffold completion zsh)
_scaffold() {
  local cli line none=1 directory="$PWD"
  local -a found open
  cli="$(whence -p -- "\${words[1]}")"
${projectCli}  [[ -n "$cli" ]] || return 1
  for line in "\${(@f)$("$cli" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) _files && none=0 ;;
      *[=:]$'\\t'*) open+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *$'\\t'?*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      ?*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}") ;;
    esac
  done
  (( \${#open} )) && _describe scaffold open -S '' && none=0
  (( \${#found} )) && _describe scaffold found && none=0
  return none
}
if [[ "\${funcstack[1]}" == _scaffold ]]; then
  _scaffold "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _scaffold scaffold kubewright
fi
`;

const fish = `# Completion of scaffold for fish. Load it with: scaffold completion fish | source
function __scaffold_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l cli (command -s $typed[1])
  set -l directory $PWD
  while test -n "$directory"
    if test -x "$directory/node_modules/.bin/scaffold"
      set cli "$directory/node_modules/.bin/scaffold"
      break
    end
    set directory (string replace -r '/[^/]*$' '' -- $directory)
  end
  test -n "$cli"; or return
  for line in ($cli __complete -- $typed[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c scaffold -f -a '(__scaffold_complete)'
complete -c kubewright -f -a '(__scaffold_complete)'
`;

const powershell = `# Completion of scaffold for PowerShell. Load it with: scaffold completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName scaffold, kubewright -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $cli = $commandAst.CommandElements[0].ToString()
  $directory = (Get-Location).Path
  while ($directory) {
    $local = Join-Path $directory 'node_modules/.bin/scaffold'
    if ($IsWindows -ne $false) { $local = "$local.cmd" }
    if (Test-Path $local) { $cli = $local; break }
    $directory = Split-Path $directory -Parent
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $typed += $wordToComplete
  & $cli __complete '--' @typed 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if ($value -eq ':files') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    } elseif ($value) {
      if (-not $description) { $description = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
  }
}
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
