# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What shells make of the completion scripts. A shell that is not installed is left out."""

import os
import re
import shlex
import shutil
import subprocess

from program import PATIENCE, SLUICE, ProgramTest, main

# What is typed, and the only word that completes it.
TYPED = {
    "gr": "graph",
    "run --prog": "--progress",
    "run --progress b": "bar",
    "queues redis://localhost dr": "drain",
    "stages coun": "count",
    "completion z": "zsh",
    "check descr": "description.json",
}


class Completion(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("description.json", "{}")
        program = self.write("sluice", f'#!/bin/sh\nexec {shlex.join(SLUICE)} "$@"\n')
        program.chmod(0o755)

    def script(self, shell):
        return self.sluice("completion", shell)[1]

    def said_by(self, *command):
        """What a shell prints, errors, too."""
        if not shutil.which(command[0]):
            self.skipTest(f"{command[0]} is not installed")
        path = f"{self.folder}:{os.environ['PATH']}"
        return subprocess.run(
            command, cwd=self.folder, env={**os.environ, "PATH": path}, timeout=PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def test_every_command_and_option_of_the_help_is_completed(self):
        def completed(*line):
            return set(re.findall(r"^(\S+)\t", self.sluice("complete", *line)[1], re.MULTILINE))

        listed = self.sluice("--help")[1].partition("Subcommands:\n")[2]
        commands = set(re.findall(r"^  (\w+)  ", listed, re.MULTILINE))
        self.assertIn("completion", commands)
        self.assertEqual(completed(""), commands)
        for command in commands:
            options = re.findall(r"^  .*?(--[a-z-]+)", self.sluice(command, "--help")[1], re.M)
            self.assertIn("--help", options)
            self.assertEqual(set(options) - completed(command, "-"), set(), command)

    def test_bash_completes(self):
        said = self.said_by("bash", "-c", self.script("bash") + "".join(f"""
            COMP_WORDS=(sluice {typed}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _sluice
            echo "${{COMPREPLY[@]}}" """ for typed in TYPED))
        self.assertEqual([line.strip() for line in said.splitlines()], list(TYPED.values()))

    def test_bash_completes_behind_a_sign_of_equality(self):
        cases = {"run --progress = b": "bar", "run --progress =": "auto bar plain json none",
                 "run --report json = descr": "description.json",
                 "run --report = t": "text", "run --trace = descr": "description.json"}
        said = self.said_by("bash", "-c", self.script("bash") + "".join(f"""
            COMP_WORDS=(sluice {typed}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _sluice
            echo "${{COMPREPLY[@]}}" """ for typed in cases))
        self.assertEqual([line.strip() for line in said.splitlines()], list(cases.values()))

    def test_fish_completes(self):
        said = self.said_by("fish", "--no-config", "-c", self.script("fish") + "".join(f"""
            complete -C 'sluice {typed}'""" for typed in TYPED))
        self.assertEqual(
            [line.split("\t")[0] for line in said.splitlines()], list(TYPED.values()))

    def test_zsh_completes(self):
        self.write("_sluice", self.script("zsh"))
        for typed, completed in list(TYPED.items())[-2:]:  # each starts a shell, which takes long
            # a terminal, in which Tab completes and Enter shows what came of it
            said = self.said_by("zsh", "-f", "-c", f"""
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell 'PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D'
                zpty -w shell 'show() {{ print "<$BUFFER>"; exit }}; zle -N show; bindkey "^X" show'
                zpty -w -n shell $'sluice {typed}\\t\\C-x'
                while zpty -r shell line; do print -r -- $line; done""")
            self.assertRegex(said, f"<sluice {typed.rpartition(' ')[0]} ?{completed}[= ]?>")


if __name__ == "__main__":
    main()
