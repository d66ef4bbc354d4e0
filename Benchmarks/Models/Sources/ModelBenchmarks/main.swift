import Foundation

// Models beside managed objects in stores of the same rows, as a table in Markdown. Ends with an error if a limit is
// exceeded.
//
//   ModelBenchmarks [objects] [rounds]      100000 and 5 unless given

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let bench = try Bench(trips: numbers.first ?? 100_000)
print("| work on an object | managed objects | models | ratio | target | limit | |")
print("|---|---:|---:|---:|---:|---:|---|")
var failures = 0
for row in bench.rows where try !row.measure(rounds: numbers.dropFirst().first ?? 5) { failures += 1 }
bench.remove()
exit(failures == 0 ? 0 : 1)
