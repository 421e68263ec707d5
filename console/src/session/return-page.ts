const key = "telltale-return";

/** Where to go after a payment when no page was remembered, for example when the link was opened in another browser. */
const fallback = "/devices";

/** Where an order is reviewed and paid. */
export const confirmationPath = "/orderss";

/** Remembers the open page, or the given one, for the return from the payment provider. */
export const rememberPage = (page = `${location.pathname}${location.search}`): void =>
  sessionStorage.setItem(key, page);

/** The remembered page; it is kept, because the return page may be loaded twice. */
export const rememberedPage = (): string => {
  const page = sessionStorage.getItem(key) ?? "";
  // Only a path of this console, never another host.
  return /^\/(?!\/)/.test(page) ? page : fallback;
};
