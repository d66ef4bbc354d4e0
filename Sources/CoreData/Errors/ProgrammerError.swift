/// Ends the program over a mistake in how the framework is used, where Apple's raises an exception.
///
/// The message names the class, the key and the remedy.
package func programmerError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}
