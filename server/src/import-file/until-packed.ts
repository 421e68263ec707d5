import { CallError, type Client } from "@telltale/contract/call/client";
import { imports } from "@telltale/contract/domains/readings/imports";
import { counted } from "@telltale/contract/text/counted";

/** How often the server is asked, milliseconds. */
const every = 500;
/** From then on it says what it waits for, and when it says so again, milliseconds. */
const tellEvery = 5_000;
/** After this time without progress it ends, milliseconds: the server goes on, such as where a device still sends readings of these hours. */
const patience = 60_000;

/**
 * Resolves when what was imported is packed: until then charts and SQL statements over it take longer. Readings are stored and safe before, so a server
 * that does not answer is no fault. `tell`: what it waits for.
 */
export const untilPacked = async (client: Client, importId: number, tell: (text: string) => void): Promise<void> => {
  let [fewest, since, told] = [Number.POSITIVE_INFINITY, performance.now(), performance.now()];
  try {
    for (;;) {
      const { hours } = await client(imports.packing, { importId });
      if (hours === 0) return;
      const now = performance.now();
      if (hours < fewest) [fewest, since] = [hours, now];
      if (now - since > patience) return;
      if (now - told > tellEvery) {
        told = now;
        tell(`Packing them, so that charts are fast: ${counted(hours, "hour")} left`);
      }
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  } catch (fault) {
    if (!(fault instanceof CallError)) throw fault;
  }
};
