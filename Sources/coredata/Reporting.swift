import ArgumentParser
import CoreDataTool
import Foundation

/// What the process ends with: 0 when all is well, 64 for a command that was mistyped (`EX_USAGE`).
enum ExitCodes {
    /// Something was found: problems, differences.
    static let findings = ExitCode(1)
    /// The command could not be carried out.
    static let failure = ExitCode(2)
}

/// Runs a command; what goes wrong is one line on standard error and the exit code for failures.
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

/// Shows how many objects were made.
func show(count: Int) throws { try show(count == 1 ? "1 object" : "\(count) objects") }

/// Says that a value is left out, and why.
func warnOfLoss(_ message: String) { warn("left out: \(message)") }

/// A line on standard error.
func warn(_ message: String) {
    FileHandle.standardError.write(Data("coredata: \(message)\n".utf8))
}
