/** Why a message is held for a summary. */
export const Hold = {
  /** Its alert was over before the server learned of it. */
  backlog: 1,
  /** The address gets more messages than anybody can read. */
  flood: 2,
  /** Its recipient's quiet hours. */
  quietHours: 3,
} as const;
export type Hold = (typeof Hold)[keyof typeof Hold];
