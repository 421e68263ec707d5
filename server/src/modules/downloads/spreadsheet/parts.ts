import { xmlText } from "./cells.rules.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Cell formats, in the order of `Style`. The time format is exact to the millisecond. */
const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`;

const relation = (number: number, type: string, target: string): string =>
  `<Relationship Id="rId${number}" Type="${office}/${type}" Target="${target}"/>`;

const relations = (all: string[]): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${all.join("")}</Relationships>`;

const contentTypes = (sheets: number[]): string => {
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${mediaType}.${type}+xml"/>`;
  const parts = [
    override("xl/workbook.xml", "sheet.main"),
    override("xl/styles.xml", "styles"),
    override("xl/sharedStrings.xml", "sharedStrings"),
    ...sheets.map((number) => override(sheetPath(number), "worksheet")),
  ];
  return `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join("")}</Types>`;
};

const workbook = (name: string, sheets: number[]): string => {
  const sheet = (number: number) =>
    `<sheet name="${xmlText(number === 1 ? name : `${name} ${number}`)}" sheetId="${number}" r:id="rId${number}"/>`;
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.map(sheet).join("")}</sheets></workbook>`;
};

/** Path of a sheet; the first is 1. */
export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** XML around the rows of a sheet: frozen head row and column widths (characters). */
export const sheetFrame = (widths: readonly number[]): { before: string; after: string } => {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return {
    before: `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join("")}</cols><sheetData>`,
    after: "</sheetData></worksheet>",
  };
};

/** Parts that need the number of sheets and the shared texts and are written last, by path. */
export const closingParts = (name: string, sheetCount: number, texts: string): [path: string, xml: string][] => {
  const sheets = Array.from({ length: sheetCount }, (_, at) => at + 1);
  return [
    ["xl/sharedStrings.xml", texts],
    ["xl/styles.xml", styles],
    ["xl/workbook.xml", workbook(name, sheets)],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map((number) => relation(number, "worksheet", `worksheets/sheet${number}.xml`)),
        relation(sheetCount + 1, "styles", "styles.xml"),
        relation(sheetCount + 2, "sharedStrings", "sharedStrings.xml"),
      ]),
    ],
    ["_rels/.rels", relations([relation(1, "officeDocument", "xl/workbook.xml")])],
    ["[Content_Types].xml", contentTypes(sheets)],
  ];
};
