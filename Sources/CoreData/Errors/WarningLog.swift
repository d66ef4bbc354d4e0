import Foundation

/// Says something the app's author should know, on standard error.
func logWarning(_ message: String) {
    FileHandle.standardError.write(Data("CoreData: warning: \(message)\n".utf8))
}
