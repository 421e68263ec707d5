import { escapedFormula, xmlText } from "./cells.rules.ts";

/** The distinct texts of a workbook, which cells refer to by index. */
export interface SharedTexts {
  numberOf(text: string): number;
  /** The workbook's part that contains them. */
  xml(): string;
}

export const createSharedTexts = (): SharedTexts => {
  const numbers = new Map<string, number>();
  return {
    numberOf: (text) => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    xml: () => {
      const texts = [...numbers.keys()].map(
        (text) => `<si><t xml:space="preserve">${xmlText(escapedFormula(text))}</t></si>`,
      );
      return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="${numbers.size}">${texts.join("")}</sst>`;
    },
  };
};
