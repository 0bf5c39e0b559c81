import { installPythonPackages } from "@/tests/helpers/python.ts";
import {
  assertCalls,
  copyCalls,
  generateWithJava,
  generatorTest,
  installNodePackages,
  run,
} from "./generators.ts";

const PYTHON_PACKAGES = {
  folder: ".venv-generators",
  requirements: "tests/clients/generated/requirements.txt",
};

/** Imports every module of the generated client. */
const IMPORT_ALL = `
import importlib, pkgutil, sotto_client
for module in pkgutil.walk_packages(sotto_client.__path__, "sotto_client."):
    importlib.import_module(module.name)
`;

generatorTest(
  "a client that is generated for Python compiles and makes calls",
  ["python3"],
  async (client) => {
    const programs = await installPythonPackages(PYTHON_PACKAGES);
    if (programs === null) throw new Error("The packages for Python cannot be installed");
    const { folder } = client;
    const options = ["--path", "openapi.json", "--meta", "none", "--output-path", "sotto_client"];
    // The generator formats what it wrote with a program of its environment.
    const env = { PATH: `${programs}:${Deno.env.get("PATH")}` };
    await run(`${programs}/openapi-python-client`, ["generate", ...options], { cwd: folder, env });
    await run(`${programs}/python`, ["-c", IMPORT_ALL], { cwd: folder });
    await copyCalls(client, "calls.py");
    await assertCalls(client, [`${programs}/python`, "calls.py"]);
  },
);

generatorTest(
  "a client that is generated for Go compiles and makes calls",
  ["java", "mvn", "go"],
  async (client) => {
    const { folder } = client;
    await generateWithJava(client, { generator: "go", properties: "packageName=sotto,withGoMod=false" });
    await copyCalls(client, "calls.go");
    await run("go", ["mod", "init", "calls"], { cwd: folder });
    await run("go", ["vet", "./..."], { cwd: folder });
    await run("go", ["build", "-buildvcs=false", "-o", "calls", "."], { cwd: folder });
    await assertCalls(client, ["./calls"]);
  },
);

const TYPESCRIPT_PROGRAMS = ["npm", "node"];
/** Options of a strict compilation to files that Node.js runs. */
const STRICT = ["--strict", "--noEmitOnError", "--target", "es2022", "--lib", "es2022,dom"];
const COMMONJS = [
  "--module",
  "commonjs",
  "--moduleResolution",
  "node10",
  "--esModuleInterop",
  "--outDir",
  "compiled",
];

generatorTest(
  "a client that is generated for TypeScript compiles and makes calls",
  ["java", "mvn", ...TYPESCRIPT_PROGRAMS],
  async (client) => {
    const programs = await installNodePackages();
    await generateWithJava(client, { generator: "typescript-fetch", properties: "supportsES6=true" });
    await copyCalls(client, "calls_fetch.ts.txt");
    await run(`${programs}/tsc`, [...STRICT, ...COMMONJS, "calls.ts"], { cwd: client.folder });
    await assertCalls(client, ["node", "compiled/calls.js"]);
  },
);

generatorTest(
  "types that are generated for TypeScript compile, and a client makes calls with them",
  TYPESCRIPT_PROGRAMS,
  async (client) => {
    const programs = await installNodePackages();
    const { folder } = client;
    await Deno.symlink(`${programs}/..`, `${folder}/node_modules`);
    await run(`${programs}/openapi-typescript`, ["openapi.json", "--output", "sotto.ts"], { cwd: folder });
    await copyCalls(client, "calls_types.ts.txt");
    await run(`${programs}/tsc`, [...STRICT, ...COMMONJS, "calls.ts"], { cwd: folder });
    await assertCalls(client, ["node", "compiled/calls.js"]);
  },
);
