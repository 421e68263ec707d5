import { z } from "zod";
import { post } from "../../call/call.ts";
import { UserInfo } from "./accounts.ts";
import { emailField, secretField } from "./person-fields.ts";

const unknownEmail = "Please enter a valid email address";

/** Sign-in through the operator's OpenID Connect provider. A cookie ties both calls to one browser. */
export const singleSignOn = {
  begin: post("/api/user/sso/begin", {
    access: "public",
    summary: "Begins a sign-in at the provider; returns the address there to which the browser goes",
    body: z.object({
      /** An address that the provider may fill in. */
      email: emailField(unknownEmail).optional(),
      /** 1 asks who it is also where the provider knows: it would bring the same person back whom this server has refused. */
      again: z.literal("1").optional(),
    }),
    result: z.object({ url: z.string() }),
  }),
  finish: post("/api/user/sso/finish", {
    access: "public",
    summary: "Signs in with the provider's answer, once; with the link of an invitation, also joins its plant",
    body: z.object({
      /** The query string with which the provider sent the browser back. */
      answer: z.string().max(16_000),
      email: emailField(unknownEmail).optional(),
      accessToken: secretField.optional(),
    }),
    result: UserInfo,
  }),
};
