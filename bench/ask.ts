/** Calls the address and returns the result; throws when the call is refused. */
export const ask = async <T>(url: URL): Promise<T> => {
  const { code, msg, result } = (await (await fetch(url)).json()) as { code: number; msg: string; result: T };
  if (code !== 0) throw new Error(`${url.pathname} answered ${code}: ${msg}`);
  return result;
};
