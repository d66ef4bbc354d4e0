import Foundation
import Interposer

// Does operations on stores, disturbed at each of their system calls in turn, and prints what is wrong
// afterwards.
//
//   store-worker <death|deaths|half|error|full> <points> [<operation> [<type> [<call>]]]
//       each operation by itself: its process dies at a call, or so does the next one as well, or it dies half way
//       through the call, or the call fails
//   store-worker <contest|mixed> <points> [<operation> <operation> [<type> <type> [<call>]]]
//       each pair of operations in two processes, one of them stopped at a call while the other works: on stores of
//       one type, or where another type comes into it
//   store-worker driverless
//       calls on a store whose driver this program does not link
//   store-worker list
//
// points: at how many of its calls an operation is disturbed; 0 for all.

/// Unbuffered: copies of this process must not say it again.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The calls of an operation that are looked at: evenly spread, others for each way to disturb.
func chosen(_ calls: Int, _ points: Int, _ arguments: [String], at index: Int, phase: Int) -> [Int] {
    if arguments.count > index { return [Int(arguments[index])!] }
    guard points > 0, points < calls else { return Array(1..<calls + 1) }
    let step = calls / points
    return Array(stride(from: 1 + phase % step, through: calls, by: step))
}

/// Goes through calls; how many problems there are.
func check(_ title: String, _ calls: [Int], problems: (Int) -> [String]) -> Int {
    var count = 0
    for call in calls {
        for problem in problems(call) {
            count += 1
            say("\(title), at call \(call): \(problem)")
        }
    }
    say("\(title): \(calls.count) calls, \(count) problems")
    return count
}

let arguments = Array(CommandLine.arguments.dropFirst())
let scratch = try Scratch()
let points = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 0

/// Whether an argument names something, or there is none.
func allows(_ index: Int, _ name: String) -> Bool { arguments.count <= index || arguments[index] == name }

var count = 0
switch arguments.first {
case "list":
    for operation in Operation.catalog {
        say("\(operation.name): \(operation.types.joined(separator: ", "))")
    }
case let word? where ["contest", "mixed"].contains(word):
    for first in Contest.Entrant.all where allows(2, first.operation.name) && allows(4, first.type) {
        for second in Contest.Entrant.all
        where allows(3, second.operation.name) && allows(5, second.type) && first.meets(second)
            && first.resembles(second) == (word == "contest")
        {
            let contest = Contest(first, second, scratch)
            count += check(
                "\(first.operation.name) (\(first.type)), and \(second.operation.name) (\(second.type))",
                chosen(contest.calls, points, arguments, at: 6, phase: count), problems: contest.problems)
            contest.end()
        }
    }
case let word? where Rehearsal.Disturbance(rawValue: word) != nil:
    let disturbance = Rehearsal.Disturbance(rawValue: word)!
    let phase = Rehearsal.Disturbance.allCases.firstIndex(of: disturbance)! * 3
    for operation in Operation.catalog where allows(2, operation.name) {
        for type in operation.types where allows(3, type) {
            let rehearsal = Rehearsal(operation, type, scratch)
            count += check(
                "\(operation.name) (\(type)), \(word)",
                chosen(rehearsal.calls, points, arguments, at: 4, phase: phase)
            ) { rehearsal.problems(disturbance, at: $0) }
            rehearsal.end()
        }
    }
case "driverless":
    let calls = DriverlessCalls()
    count += check("driverless", Array(1..<calls.count + 1), problems: calls.problems)
default:
    say("usage: see the head of main.swift")
    count = 64
}
scratch.remove()
exit(count == 0 ? 0 : 1)
