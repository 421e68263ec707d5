/**
 * Why something failed, for anybody to hear. Texts of the operating system name paths and addresses, and those of a refused sign-in
 * names; of these only the code is told.
 */
export const plainReason = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const { code, severity, message } = fault as Error & { code?: unknown; severity?: string };
  if (typeof code !== "string") return message;
  // What PostgreSQL says has a severity, and an SQLSTATE as code. Class 28: invalid authorization; 3D: no such database.
  if (severity === undefined) return code;
  return /^(28|3D)/.test(code) ? `The database can't be signed in to (${code})` : message;
};
