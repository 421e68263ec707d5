import type { Random } from "../random.ts";

/** Values seen in answers so far, by field name: existing ids, and known words. */
export interface KnownValues {
  /** Records the values of an answer. */
  learn(answer: unknown): void;
  /** A plausible value of this field; undefined when none is known. */
  suggest(random: Random, field: string): string | undefined;
  /** Rows as the server answers them, for calls that take such rows. */
  row(random: Random): unknown;
}

/** Values kept per field; newer ones replace older ones, which may refer to deleted objects. */
const most = 40;

/** Excluded fields: failed attempts must not lock out real addresses, and sessions must keep their tokens. */
const kept = (field: string): boolean => !["email", "token", "accessToken", "secret", "msg", "code"].includes(field);

const samples: Record<string, readonly string[]> = {
  ...{ page: ["1", "2"], size: ["20", "200"], type: ["1", "2", "3"], status: ["0", "1", "2", "3"], year: ["1", "2"] },
  ...{ email: ["nobody@example.test", "Somebody.Else@Example.test"], password: ["long enough 1"], code: ["000000"] },
  ...{ alarmClass: ["1", "2"], alarmType: ["1", "2"], alarmValue: ["5", "80.5"], alarmHysteresis: ["1"] },
  ...{
    displayType: ["1", "2"],
    isDisabled: ["0", "1"],
    enabled: ["true", "false"],
    level: ["0", "1"],
    periodicity: ["1"],
  },
  ...{ keys: ["g d", "x z"], target: ["/devices"], icon: ["1"], storageSpace: ["1"], packageId: ["1"], payerId: ["a"] },
  ...{ timeZoneId: ["UTC", "Europe/Berlin"], cellNumber: ["5551234567"], interval: ["60"], channelType: ["1", "2"] },
  ...{ firstName: ["Mary"], lastName: ["Okafor"], company: ["Works"], industry: ["Energy"], name: ["Pumps"] },
  ...{ startTime: ["2026-01-01"], endTime: ["2026-12-31"], alias: ["Main"], address: ["7"], years: ["1"] },
};

export const createKnownValues = (): KnownValues => {
  const values = new Map<string, string[]>();
  const rows: object[] = [];
  const keep = <T>(list: T[], item: T, at: number): void => {
    if (list.length < most) list.push(item);
    else list[at % most] = item;
  };
  let learnt = 0;
  const learnField = (field: string, value: unknown): void => {
    if (typeof value === "object") learn(value);
    if (typeof value === "object" || !kept(field) || String(value).length > 200) return;
    const known = values.get(field) ?? [];
    values.set(field, known);
    if (!known.includes(String(value))) keep(known, String(value), learnt++);
  };
  const learn = (answer: unknown): void => {
    if (Array.isArray(answer)) for (const item of answer.slice(0, 20)) learn(item);
    else if (typeof answer === "object" && answer !== null) {
      keep(rows, answer, learnt++);
      for (const [field, value] of Object.entries(answer)) learnField(field, value);
    }
  };
  return {
    learn,
    suggest: (random, field) => {
      const one = field.replace(/s$/, "");
      const lists = [values.get(field), values.get(one), samples[field], samples[one]];
      const known = lists.flatMap((list) => (list?.length ? [list] : []));
      return known.length > 0 ? random.pick(random.pick(known)) : undefined;
    },
    row: (random) => (rows.length > 0 ? random.pick(rows) : {}),
  };
};
