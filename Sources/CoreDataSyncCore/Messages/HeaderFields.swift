/// Fields of HTTP that devices and servers know by the same name.
package enum HeaderFields {
    /// The version of the app, in each of its requests.
    package static let appVersion = "App-Version"
    /// The version that the server wants at least, in an answer with the status 426.
    package static let minimumVersion = "Minimum-Version"
}
