/** A program that calls the API; it takes address and key from the environment, as `TELLTALE_URL` and `TELLTALE_KEY`. */
export interface ApiExample {
  language: string;
  text: string;
}

/** Each prints the newest value of every channel of every device. The API documentation shows them, and a test runs them. */
export const apiExamples: readonly ApiExample[] = [
  {
    language: "curl",
    text: `# The first 200 devices, and the channels of the device 1 with their newest values.
curl -sS -H "Authorization: Bearer $TELLTALE_KEY" "$TELLTALE_URL/api/device/list?page=1&size=200"
curl -sS -H "Authorization: Bearer $TELLTALE_KEY" "$TELLTALE_URL/api/device/detail/channel?deviceId=1"
`,
  },
  {
    language: "TypeScript",
    text: `const { TELLTALE_URL, TELLTALE_KEY } = process.env;

interface Device { deviceId: number; deviceName: string }
interface Channel { channelName: string; value: number | null; status: number; unit: string }

const call = async <T>(path: string, query: Record<string, string | number>): Promise<T> => {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await fetch(\`\${TELLTALE_URL}\${path}?\${parameters}\`, {
    headers: { authorization: \`Bearer \${TELLTALE_KEY}\` },
  });
  const { code, msg, result } = await response.json();
  if (code !== 0) throw new Error(\`\${code}: \${msg}\`);
  return result;
};

for (let page = 1, pages = 1; page <= pages; page++) {
  const devices = await call<{ data: Device[]; total_pages: number }>("/api/device/list", { page, size: 200 });
  pages = devices.total_pages;
  for (const { deviceId, deviceName } of devices.data) {
    const groups = await call<{ channels: Channel[] }[]>("/api/device/detail/channel", { deviceId });
    for (const { channelName, value, status, unit } of groups.flatMap(({ channels }) => channels))
      console.log(deviceName, channelName, status === 2 ? "no value" : value, unit);
  }
}

export {};
`,
  },
  {
    language: "Python",
    text: `import json, os, urllib.parse, urllib.request

def call(path, **query):
    request = urllib.request.Request(
        f"{os.environ['TELLTALE_URL']}{path}?{urllib.parse.urlencode(query)}",
        headers={"Authorization": f"Bearer {os.environ['TELLTALE_KEY']}"},
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    if answer["code"] != 0:
        raise RuntimeError(f"{answer['code']}: {answer['msg']}")
    return answer["result"]

page, pages = 1, 1
while page <= pages:
    devices = call("/api/device/list", page=page, size=200)
    page, pages = page + 1, devices["total_pages"]
    for device in devices["data"]:
        for group in call("/api/device/detail/channel", deviceId=device["deviceId"]):
            for channel in group["channels"]:
                value = "no value" if channel["status"] == 2 else channel["value"]
                print(device["deviceName"], channel["channelName"], value, channel["unit"])
`,
  },
];
