import { userInfo } from "node:os";

/** Who types the command: whoever has become root, or the machine's user. A container may know a number only. */
export const operatorName = (): string => {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
};
