import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { CommanderError } from "commander";
import { parseArgsStringToArgv } from "string-argv";
import { typedFile } from "../platform/installed.ts";
import { asOperator, type Operator } from "./open.ts";
import { print, type Row } from "./print.ts";
import { createProgram } from "./program.ts";

const jsonArguments = (line: string): string[] => {
  const words: unknown = JSON.parse(line);
  return Array.isArray(words) ? words.map(String) : [];
};

/** Splits a line into arguments: like a shell, or a JSON array, which needs no quoting. */
const argumentsOf = (line: string): string[] =>
  line.startsWith("[") ? jsonArguments(line) : parseArgsStringToArgv(line);

/** Runs the command of one line and returns its rows. Throws an error with a one-sentence reason. */
export const runLine = async (operator: Operator, line: string): Promise<Row[]> => {
  let rows: Row[] = [];
  const printed: string[] = [];
  const program = createProgram(async (_output, work) => {
    rows = await work(operator);
  });
  const output = { writeOut: (text: string) => printed.push(text), writeErr: (text: string) => printed.push(text) };
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.exitOverride().configureOutput(output);
  await program.parseAsync(argumentsOf(line), { from: "user" }).catch((fault: unknown) => {
    throw fault instanceof CommanderError ? new Error(printed.join("").trim() || fault.message) : fault;
  });
  return rows;
};

/**
 * Runs the commands of a file or of standard input, one per line, in order over one connection; skips empty lines and those that begin with #. Prints
 * each result or error. Returns the number of failures.
 */
export const runBatch = (file: string | undefined, isJson: boolean): Promise<number> =>
  asOperator(async (operator) => {
    let failed = 0;
    let number = 0;
    const input = file === undefined ? process.stdin : createReadStream(typedFile(file));
    for await (const each of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const line = each.trim();
      if (line === "" || line.startsWith("#")) continue;
      try {
        const rows = await runLine(operator, line);
        if (isJson) console.log(JSON.stringify({ line: number, rows }));
        else print(rows, false);
      } catch (fault) {
        failed += 1;
        const error = fault instanceof Error ? fault.message : String(fault);
        if (isJson) console.log(JSON.stringify({ line: number, error }));
        else console.error(`Line ${number}: ${error}`);
      }
    }
    return failed;
  });
