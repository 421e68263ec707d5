import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { whenSettled } from "./when-settled.ts";

const queryKey = ["/api/list"];

test("a change is applied at once, and during a fetch to what the fetch brings, once", async () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKey, ["before"]);
  const add = (name: string) => queries.setQueryData<string[]>(queryKey, (old) => [...(old ?? []), name]);
  whenSettled(queries, queryKey, () => add("at once"));
  expect(queries.getQueryData(queryKey)).toEqual(["before", "at once"]);
  const answer = Promise.withResolvers<string[]>();
  const fetched = queries.fetchQuery({ queryKey, queryFn: () => answer.promise });
  whenSettled(queries, queryKey, () => add("meanwhile"));
  expect(queries.getQueryData(queryKey)).toEqual(["before", "at once"]);
  answer.resolve(["fetched"]);
  await fetched;
  await expect.poll(() => queries.getQueryData(queryKey)).toEqual(["fetched", "meanwhile"]);
  add("later");
  expect(queries.getQueryData(queryKey)).toEqual(["fetched", "meanwhile", "later"]);
});
