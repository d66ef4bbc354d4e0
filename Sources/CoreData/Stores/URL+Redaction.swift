import Foundation

extension URL {
    /// The URL as a text for people: without user and passwords, which the URL of a database may have.
    package var shown: String {
        guard !isFileURL, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
            return absoluteString
        }
        (parts.user, parts.password) = (nil, nil)
        let items = parts.queryItems?.filter { !["user", "password", "sslpassword"].contains($0.name) }
        parts.queryItems = items?.isEmpty == true ? nil : items
        // Rather nothing than a password.
        return parts.string ?? "\(scheme ?? ""):"
    }

    /// Returns whether both URLs lead to the same place, in different spellings or as different users.
    func isSamePlace(as other: URL) -> Bool {
        if isFileURL, other.isFileURL { return standardizedFileURL.path == other.standardizedFileURL.path }
        return shown == other.shown
    }
}
