import type { Client } from "@paypal/paypal-server-sdk";
import { fieldOf } from "../../../platform/fault.ts";
import type { WebhookCall } from "./payments.ts";

const signed = {
  auth_algo: "paypal-auth-algo",
  cert_url: "paypal-cert-url",
  transmission_id: "paypal-transmission-id",
  transmission_sig: "paypal-transmission-sig",
  transmission_time: "paypal-transmission-time",
} as const;

/** The signature's parts by PayPal's names; undefined when one is missing. */
const signatureOf = ({ headers }: WebhookCall): Record<string, string> | undefined => {
  const parts: [name: string, value: string][] = [];
  for (const [name, header] of Object.entries(signed)) {
    const value = headers[header];
    if (typeof value !== "string" || value === "") return undefined;
    parts.push([name, value]);
  }
  return Object.fromEntries(parts);
};

/** Has PayPal verify the signature. The event is sent back byte for byte, because that is what was signed. */
const isGenuine = async (client: Client, call: WebhookCall, webhookId: string): Promise<boolean> => {
  const signature = signatureOf(call);
  if (!signature) return false;
  const fields = JSON.stringify({ ...signature, webhook_id: webhookId });
  const builder = client.getRequestBuilderFactory()("POST", "/v1/notifications/verify-webhook-signature");
  builder.text(`${fields.slice(0, -1)},"webhook_event":${call.body}}`);
  builder.contentType("application/json");
  builder.authenticate([{ oauth2: true }]);
  const { result } = await builder.callAsText();
  return fieldOf(JSON.parse(result), "verification_status") === "SUCCESS";
};

interface WebhookEvent {
  event_type?: string;
  resource?: { id?: string; supplementary_data?: { related_ids?: { order_id?: string } } };
}

const eventOf = (body: string): WebhookEvent | undefined => {
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
};

/** The order id of an event: its resource itself, or the order of a capture. */
const orderIdOf = ({ event_type, resource }: WebhookEvent): string | undefined =>
  event_type?.startsWith("CHECKOUT.ORDER.") ? resource?.id : resource?.supplementary_data?.related_ids?.order_id;

/** The payment id of a webhook event; no id when it is irrelevant. Undefined when PayPal did not send it. */
export const readWebhook = async (
  client: Client,
  call: WebhookCall,
  webhookId: string | undefined,
): Promise<{ paymentId: string | undefined } | undefined> => {
  // Parsed first: invalid JSON could inject fields into the verification request.
  const event = eventOf(call.body);
  if (event === undefined || webhookId === undefined || !(await isGenuine(client, call, webhookId))) return undefined;
  return { paymentId: orderIdOf(event) };
};
