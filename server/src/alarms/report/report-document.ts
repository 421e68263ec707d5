import { type AlertReport, mostFrequentRules } from "@telltale/contract/domains/alerting/report";
import { type ReportFigure, reportFigures } from "@telltale/contract/domains/alerting/report-figures";
import { count, counted } from "@telltale/contract/text/counted";
import { monthOf, monthTitle } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { Content, TableCell } from "pdfmake/interfaces.js";
import { createPdf } from "../../platform/pdf.ts";

/** The console's colours on paper; no red, because counts are not alarms. */
const ink = { text: "#1b2124", soft: "#59636e", rule: "#c9cfcd", well: "#e0e4e2", chart: "#1b6080" } as const;

/** Points: of an A4 page between its margins. */
const wide = 515;

const bar = ({ share, mark, outcome }: ReportFigure, width: number): Content => ({
  canvas: [
    { type: "rect", x: 0, y: 2, w: width, h: 4, color: ink.well },
    { type: "rect", x: 0, y: 2, w: share * width, h: 4, color: outcome === "missed" ? ink.text : "#7c8884" },
    ...(mark === null ? [] : [{ type: "rect" as const, x: mark * (width - 1.5), y: 0, w: 1.5, h: 8, color: ink.text }]),
  ],
});

const remarks = { met: "met", missed: "missed", none: "" } as const;

const figureRow = (figure: ReportFigure): TableCell[] => {
  const isMissed = figure.outcome === "missed";
  return [
    { text: figure.label, color: ink.soft },
    { text: [figure.value, figure.unit].filter(Boolean).join(" "), bold: isMissed, alignment: "right" },
    { ...(bar(figure, 130) as object), margin: [6, 4, 6, 0] } as TableCell,
    { text: figure.target, bold: isMissed },
    { text: remarks[figure.outcome], bold: isMissed, color: isMissed ? ink.text : ink.soft },
  ];
};

const heading = (text: string, beside = ""): Content => ({
  text: [
    { text, bold: true },
    { text: beside && `   ${beside}`, color: ink.soft },
  ],
  margin: [0, 14, 0, 4],
});

/** Lines between rows only. */
const lined = {
  hLineWidth: (at: number, { table }: { table: { body: unknown[] } }) =>
    at === 0 || at === table.body.length ? 0 : 0.5,
  vLineWidth: () => 0,
  hLineColor: () => ink.rule,
};

/** A table with heads in capitals; nothing instead of a table without rows. */
const tableOf = (widths: (number | "*" | "auto")[], heads: string[], rows: TableCell[][]): Content[] =>
  rows.length === 0
    ? []
    : [
        {
          table: {
            widths,
            headerRows: 1,
            dontBreakRows: true,
            body: [heads.map((text) => ({ text, fontSize: 8, color: ink.soft })), ...rows],
          },
          layout: lined,
        },
      ];

const frequentTable = ({ frequent, frequentTotal, total }: AlertReport): Content[] => {
  const most = frequent[0]?.total ?? 1;
  const width = 120;
  const rows = frequent.map((rule, at): TableCell[] => [
    { text: String(at + 1), color: ink.soft },
    rule.name,
    { text: rule.deviceName, color: ink.soft },
    {
      canvas: [{ type: "rect", x: 0, y: 3, w: (rule.total / most) * width, h: 8, color: ink.chart }],
    },
    { text: count(rule.total), alignment: "right" },
    { text: rule.chattering > 0 ? `${count(rule.chattering)} chattering` : "", color: ink.soft },
  ]);
  const heads = ["", "ALERT", "DEVICE", "", "ALERTS", ""];
  return [
    heading(
      mostFrequentRules === rows.length ? "Ten most frequent" : "Most frequent",
      `${count(frequentTotal)} of ${count(total)}`,
    ),
    ...tableOf([14, "*", "*", width, 44, 80], heads, rows),
  ];
};

/** Opacity of an hour's cell by its alerts, as on screen. */
const shadeOf = (alerts: number): number => [0, 0.16, 0.16, 0.36, 0.36, 0.36, 0.6, 0.6, 0.6, 0.6][alerts] ?? 1;

const heatMap = ({ days }: AlertReport): Content[] => {
  const [left, cell, height] = [34, (wide - 34) / 31, 6.5];
  const cells = days.flatMap(({ hours, floodHours }, day) =>
    hours.map((alerts, hour) => ({
      type: "rect" as const,
      x: left + day * cell,
      y: hour * height,
      w: cell - 1,
      h: height - 1,
      color: alerts === 0 ? ink.well : ink.chart,
      fillOpacity: alerts === 0 ? 0.6 : shadeOf(alerts),
      ...(floodHours.includes(hour) ? { lineColor: ink.text, lineWidth: 1 } : {}),
    })),
  );
  return [
    {
      stack: [
        heading("Alerts an hour", "one column a day, midnight at the top; framed: in flood"),
        { canvas: cells },
        {
          text: `${days[0]?.day ?? ""} to ${days.at(-1)?.day ?? ""}`,
          fontSize: 8,
          color: ink.soft,
          margin: [left, 2, 0, 0],
        },
      ],
      unbreakable: true,
    },
  ];
};

const floodTable = ({ floods, floodTotal, timeZone }: AlertReport): Content[] => {
  if (floodTotal === 0) return [];
  const zone = zoneOf(timeZone);
  const rows = floods.map(({ from, to, total, first }): TableCell[] => [
    zone.stamp(from).slice(0, 16),
    `${Math.max(1, Math.round((to.getTime() - from.getTime()) / 60_000))} min`,
    { text: count(total), alignment: "right" },
    first.name,
  ]);
  const beside = floodTotal > rows.length ? `the first ${rows.length} of ${count(floodTotal)}` : "";
  return [heading("Floods", beside), ...tableOf([100, 70, 50, "*"], ["FROM", "FOR", "ALERTS", "FIRST OUT"], rows)];
};

const notes = ({ suppressed }: AlertReport): string =>
  [
    "Targets after ISA-18.2 and EEMUA 191, for one operator, day and night.",
    suppressed > 0
      ? `${counted(suppressed, "alert")} raised while silenced ${suppressed === 1 ? "is" : "are"} in none of the figures.`
      : "",
    "A flood begins with more than 10 alerts within 10 minutes and ends with fewer than 5. The guide, in SUPPORT, says what the figures mean and what to do about a frequent alert.",
  ]
    .filter(Boolean)
    .join(" ");

/** `October 2026`, and until when for a month that has not ended. */
const reportTitle = ({ month, isRunning, to, timeZone }: AlertReport): string =>
  isRunning
    ? `${monthTitle(monthOf(month))}, until ${zoneOf(timeZone).stamp(to).slice(0, 16)}`
    : monthTitle(monthOf(month));

/** The report as PDF. Loads pdfmake, which is large: import it in a worker. */
export const reportDocument = async (report: AlertReport): Promise<Buffer> => {
  const title = reportTitle(report);
  const content: Content[] = [
    { text: "Telltale", fontSize: 20, bold: true },
    { text: `Alert report, ${title}`, fontSize: 15, bold: true, margin: [0, 4, 0, 0] },
    { text: `${report.plantName} (${report.timeZone})`, color: ink.soft, margin: [0, 0, 0, 12] },
    ...(report.total === 0
      ? [{ text: "There were no alerts in this time.", margin: [0, 0, 0, 8] as [number, number, number, number] }]
      : []),
    { table: { widths: [130, 60, 142, "*", 40], body: reportFigures(report).map(figureRow) }, layout: lined },
    ...(report.total === 0 ? [] : [...frequentTable(report), ...heatMap(report), ...floodTable(report)]),
    { text: notes(report), fontSize: 8.5, color: ink.soft, margin: [0, 14, 0, 0] },
  ];
  const pdf = createPdf({
    info: { title: `Alert report ${report.plantName} ${report.month}` },
    pageMargins: 40,
    defaultStyle: { font: "Sans", fontSize: 9.5, color: ink.text },
    content,
  });
  return pdf.getBuffer();
};
