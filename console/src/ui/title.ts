/** The document's title: how many alerts wait comes first, because tabs are narrow. */
export const documentTitle = (title: string, unconfirmed = "0"): string =>
  `${unconfirmed === "0" ? "" : `(${unconfirmed}) `}${title} - Telltale`;
