// A bot for Ludex in plain JavaScript: in Quoridor it walks straight ahead, elsewhere it plays any legal move.
// node bot.mjs PORT, then http:"http://127.0.0.1:PORT" wherever an agent is named.

import http from "node:http";

// A legal move; the same question gets the same answer.
function choose(question) {
  if (question.game === "quoridor") {
    const ahead = question.player === 0 ? 1 : -1;
    const steps = question.legal.filter((move) => /[0-9]$/.test(move));
    return steps.reduce((best, move) => (ahead * (row(move) - row(best)) > 0 ? move : best));
  }
  return question.legal[Number(BigInt(question.random) % BigInt(question.legal.length))];
}

function row(move) {
  return Number(move.slice(1));
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const answer = { move: choose(JSON.parse(Buffer.concat(parts).toString())) };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer));
  });
});

server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
