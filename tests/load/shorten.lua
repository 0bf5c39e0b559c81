-- Shortens a different URL with each request.
local number = 0
local headers = { ["Content-Type"] = "application/json" }

function request()
  number = number + 1
  local body = '{"url":"https://example.com/articles/' .. number .. '?source=load"}'
  return wrk.format("POST", "/", headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\nJSON {"requests":%d,"micros":%d,"median":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed
  ))
end
