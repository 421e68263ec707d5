import { Client, Environment } from "@paypal/paypal-server-sdk";

/** An operator's account with PayPal. */
export interface PaypalAccount {
  clientId: string;
  secret: string;
  /** Where its REST API is, such as `https://api-m.paypal.com`. */
  origin: string;
  /** Of the webhook that PayPal calls; without it, webhooks are refused. */
  webhookId: string | undefined;
}

/** Milliseconds until an unanswered call counts as lost. Whoever pays waits for it. */
const patience = 15_000;

type Factory = ReturnType<Client["getRequestBuilderFactory"]>;

/** The SDK knows PayPal's own two addresses and no other: here every request goes to the account's. */
class RelocatedClient extends Client {
  readonly #origin: string;
  constructor({ clientId, secret, origin }: PaypalAccount, timeout: number) {
    super({
      environment: Environment.Production,
      timeout,
      clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: secret },
    });
    this.#origin = origin.replace(/\/+$/, "");
  }
  override getRequestBuilderFactory(): Factory {
    const make = super.getRequestBuilderFactory();
    return (method, path) => {
      const builder = make(method, path);
      builder.interceptRequest((request) => {
        const { pathname, search } = new URL(request.url);
        return { ...request, url: `${this.#origin}${pathname}${search}` };
      });
      return builder;
    };
  }
}

/** Speaks to PayPal for an account; `timeout` in milliseconds. */
export const paypalClient = (account: PaypalAccount, timeout = patience): Client =>
  new RelocatedClient(account, timeout);
