/** The document's title: the number of unconfirmed alerts comes first, because tabs are narrow. */
export const documentTitle = (title: string, unconfirmed = "0"): string =>
  `${unconfirmed === "0" ? "" : `(${unconfirmed}) `}${title} - Telltale`;
