import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MarkedToken, marked, type Token, type Tokens } from "marked";

/** A page of the guide. */
export interface GuidePage {
  /** Its file name without extension, used in its address. */
  name: string;
  title: string;
  /** The content after the title. */
  tokens: Token[];
}

/** A part of the guide that is published as a manual. */
export interface GuideManual {
  name: string;
  title: string;
  pages: GuidePage[];
}

/** A question with the tokens of its answer. */
export interface GuideQuestion {
  title: string;
  tokens: Token[];
}

/** The user documentation, in order. */
export interface Guide {
  manuals: GuideManual[];
  questions: GuideQuestion[];
}

/** Type guard for tokens: marked's own union contains a catch-all type, which hides the fields of each. */
export const isToken = <T extends MarkedToken["type"]>(
  token: Token | undefined,
  type: T,
): token is Extract<MarkedToken, { type: T }> => token?.type === type;

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  isToken(token, "heading") && token.depth === depth;

/** The pages that a list links to, in order. */
const filesOf = ({ raw }: Token): string[] => [...raw.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file ?? "");

/** The headings of the table of contents, each with its files. */
const partsOf = (tokens: Token[]): { title: string; files: string[] }[] => {
  const parts: { title: string; files: string[] }[] = [];
  for (const token of tokens) {
    if (isHeading(token, 2)) parts.push({ title: token.text, files: [] });
    if (token.type === "list") parts.at(-1)?.files.push(...filesOf(token));
  }
  return parts;
};

/** Splits a page of questions at its headings; questions are numbered by position. */
const questionsOf = ({ tokens }: GuidePage): GuideQuestion[] => {
  const questions: GuideQuestion[] = [];
  for (const token of tokens) {
    if (isHeading(token, 2)) questions.push({ title: token.text.replace(/^\d+\. /, ""), tokens: [] });
    else questions.at(-1)?.tokens.push(token);
  }
  return questions;
};

const slugOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** The page with questions and answers, which is in no manual. */
const faq = "faq";

/** Reads the guide in `folder`: its README is the table of contents, with a heading for each manual and a list of its pages. */
export const readGuide = async (folder: string): Promise<Guide> => {
  const read = async (file: string) => marked.lexer(await readFile(join(folder, file), "utf8"));
  const page = async (file: string): Promise<GuidePage> => {
    const tokens = await read(file);
    const title = tokens.find((token): token is Tokens.Heading => isHeading(token, 1));
    if (!title) throw new Error(`${file} of the guide has no title`);
    return { name: file.replace(/\.md$/, ""), title: title.text, tokens: tokens.filter((token) => token !== title) };
  };
  const parts = partsOf(await read("README.md")).filter(({ files }) => files.length > 0);
  const manuals = parts.filter(({ files }) => !files.includes(`${faq}.md`));
  return {
    manuals: await Promise.all(
      manuals.map(async ({ title, files }) => ({
        name: slugOf(title),
        title,
        pages: await Promise.all(files.map(page)),
      })),
    ),
    questions: questionsOf(await page(`${faq}.md`)),
  };
};
