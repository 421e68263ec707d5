import { Client, Environment } from "@paypal/paypal-server-sdk";

/** The operator's PayPal account. */
export interface PaypalAccount {
  clientId: string;
  secret: string;
  /** Origin of the REST API, such as `https://api-m.paypal.com`. */
  origin: string;
  /** Id of the webhook that PayPal calls; without it webhook calls are rejected. */
  webhookId: string | undefined;
}

/** Request timeout, milliseconds; the buyer waits for it. */
const defaultTimeout = 15_000;

type Factory = ReturnType<Client["getRequestBuilderFactory"]>;

/** The SDK supports only PayPal's own two hosts: redirects every request to the account's origin. */
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

/** Creates a PayPal client for an account; `timeout` in milliseconds. */
export const paypalClient = (account: PaypalAccount, timeout = defaultTimeout): Client =>
  new RelocatedClient(account, timeout);
