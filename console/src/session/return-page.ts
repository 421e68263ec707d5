const key = "telltale-return";

/** Where whoever has paid goes when nothing was remembered, as with a link that was opened elsewhere. */
const fallback = "/devices";

/** Where an order is looked at once more and bought. */
export const confirmationPath = "/orderss";

/** Remembers the open page, or another one of the console, for the time at the payment provider's. */
export const rememberPage = (page = `${location.pathname}${location.search}`): void =>
  sessionStorage.setItem(key, page);

/** The page that was remembered; it is not forgotten, because the way back can be asked for twice. */
export const rememberedPage = (): string => {
  const page = sessionStorage.getItem(key) ?? "";
  // Only a path of this console: never another host.
  return /^\/(?!\/)/.test(page) ? page : fallback;
};
