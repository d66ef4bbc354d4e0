import Foundation

// Models beside managed objects in stores of the same rows, as a table in Markdown. Ends with an error if a
// limit is exceeded.
//
//   ModelBenchmarks [objects] [rounds] [title]      100000, 5 and all rows unless given
//
// A part of a title chooses rows of the table.

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.compactMap { Int($0) }
let title = arguments.first { Int($0) == nil }
let bench = try Bench(trips: numbers.first ?? 100_000)
print("| work on an object | managed objects | models | ratio | target | limit | |")
print("|---|---:|---:|---:|---:|---:|---|")
var failures = 0
for row in bench.rows where title.map(row.title.contains) ?? true {
    if try !row.measure(rounds: numbers.dropFirst().first ?? 5) { failures += 1 }
}
bench.remove()
exit(failures == 0 ? 0 : 1)
