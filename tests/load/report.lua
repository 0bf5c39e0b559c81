-- What each script reports at its end, as JSON that wrk.ts reads; the latencies in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\nJSON {"requests":%d,"micros":%d,"median":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed
  ))
end
