/** The supported shells. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/**
 * Returns the completion script of a shell for `scaffold` and `kubewright`, also with `npx`. It calls the CLI, if possible the
 * project's own, so that it always matches the CLI.
 */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

/** For bash and zsh: searches `directory` and its parents for a project's own CLI, and sets `cli`. */
const projectCli = `  while [[ -n "$directory" ]]; do
    if [[ -x "$directory/node_modules/.bin/scaffold" ]]; then
      cli="$directory/node_modules/.bin/scaffold"
      break
    fi
    directory="\${directory%/*}"
  done
`;

const bash = `# Completion of scaffold for bash. Load it with: source <(npx scaffold completion bash)
_scaffold() {
  local cli line own=0 directory="$PWD"
  COMPREPLY=()
  # Complete only scaffold and kubewright after npx; leave everything else to the default completion.
  if [[ "\${COMP_WORDS[0]}" == npx ]]; then
    own=1
    (( COMP_CWORD > own )) && [[ "\${COMP_WORDS[own]}" == @(scaffold|kubewright) ]] || return 0
  fi
  cli="$(type -P -- "\${COMP_WORDS[own]}")"
${projectCli}  [[ -n "$cli" ]] || return 0
  # bash splits --kind=Ga into three words, and replaces only the last one.
  local word typed="" glue="" index
  local -a words=()
  for ((index = own + 1; index <= COMP_CWORD; index++)); do
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
complete -p npx >/dev/null 2>&1 || complete -o default -F _scaffold npx
`;

const zsh = `#compdef scaffold kubewright npx
# Completion of scaffold for zsh. Load it with: source <(npx scaffold completion zsh)
_scaffold() {
  local cli line none=1 own=1 directory="$PWD"
  local -a found open
  # Complete only scaffold and kubewright after npx.
  if [[ "\${words[1]}" == npx ]]; then
    own=2
    if (( CURRENT <= own )) || [[ "\${words[own]}" != (scaffold|kubewright) ]]; then
      _default
      return
    fi
  fi
  cli="$(whence -p -- "\${words[own]}")"
${projectCli}  [[ -n "$cli" ]] || return 1
  for line in "\${(@f)$("$cli" __complete -- "\${(@)words[own+1,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) compset -P '*='; _files && none=0 ;;
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
  (( \${+_comps[npx]} )) || compdef _scaffold npx
fi
`;

const fish = `# Completion of scaffold for fish. Load it with: npx scaffold completion fish | source
function __scaffold_complete
  set -l typed (commandline -opc) (commandline -ct)
  test "$typed[1]" = npx; and set -e typed[1]
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
      # The path begins after --flag= or paths=.
      set -l path (string replace -r '^.*=' '' -- $typed[-1])
      set -l front (string replace -r '[^=]*$' '' -- $typed[-1])
      string join \\n -- $front(__fish_complete_path $path)
    else
      echo $line
    end
  end
end
complete -c scaffold -f -a '(__scaffold_complete)'
complete -c kubewright -f -a '(__scaffold_complete)'
function __scaffold_by_npx
  set -l typed (commandline -opc)
  contains -- "$typed[2]" scaffold kubewright
end
complete -c npx -n __scaffold_by_npx -f -a '(__scaffold_complete)'
`;

const powershell = `# Completion of scaffold for PowerShell. Load it with: npx scaffold completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName scaffold, kubewright, npx -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements)
  # Complete only scaffold and kubewright after npx.
  if ($elements[0].ToString() -eq 'npx') {
    $elements = @($elements | Select-Object -Skip 1)
    if ($elements.Count -eq 0 -or $elements[0].Extent.EndOffset -ge $cursorPosition) { return }
    if ($elements[0].ToString() -notin 'scaffold', 'kubewright') { return }
  }
  $cli = $elements[0].ToString()
  $directory = (Get-Location).Path
  while ($directory) {
    $local = Join-Path $directory 'node_modules/.bin/scaffold'
    if ($IsWindows -ne $false) { $local = "$local.cmd" }
    if (Test-Path $local) { $cli = $local; break }
    $directory = Split-Path $directory -Parent
  }
  $typed = @($elements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $typed += $wordToComplete
  & $cli __complete '--' @typed 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if ($value -eq ':files') {
      # The path begins after --flag= or paths=.
      $path = $wordToComplete -replace '^.*=', ''
      $front = $wordToComplete.Substring(0, $wordToComplete.Length - $path.Length)
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new("$front$($_.CompletionText)", $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
    } elseif ($value) {
      if (-not $description) { $description = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
  }
}
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
