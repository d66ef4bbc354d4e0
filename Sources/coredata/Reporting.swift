import ArgumentParser
import CoreDataTool
import Foundation

/// The exit codes of the tool, besides 0 for success and 64 for a command that was mistyped (`EX_USAGE`).
enum ExitCodes {
    /// The command found problems or differences.
    static let findings = ExitCode(1)
    /// The command could not be carried out.
    static let failure = ExitCode(2)
}

/// Runs a command; an error is printed to standard error and ends the process with the exit code for
/// failures.
func reporting(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let code as ExitCode {
        throw code
    } catch {
        warn(ErrorText.describe(error))
        throw ExitCodes.failure
    }
}

/// Prints to standard output.
func show(_ text: String) throws {
    let output = LineOutput()
    try output.write(text)
    try output.finish()
}

/// Prints the number of objects that were made.
func show(count: Int) throws { try show(count == 1 ? "1 object" : "\(count) objects") }

/// Prints to standard error that a value is left out, and why.
func warnOfLoss(_ message: String) { warn("left out: \(message)") }

/// Prints a line to standard error.
func warn(_ message: String) {
    FileHandle.standardError.write(Data("coredata: \(message)\n".utf8))
}
